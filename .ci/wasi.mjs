// Runs a program for WASI: node wasi.mjs <program> <arguments>
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
// To return from the program's exit, rather than exit, crashes node 20 after some programs.
const wasi = new WASI({ version: 'preview1', args, env: { PWD: process.cwd() }, preopens: { '/': '/' }, returnOnExit: false });
const program = await WebAssembly.compile(await readFile(args[0]));
process.exitCode = wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject()));
