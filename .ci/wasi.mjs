// Runs a program for WASI in node: node wasi.mjs <program> <arguments>
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, env: { PWD: process.cwd() }, preopens: { '/': '/' }, returnOnExit: true });
const program = await WebAssembly.compile(await readFile(args[0]));
process.exitCode = wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject()));
