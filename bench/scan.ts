/**
 * Benchmark of `burgee refs check` on a folder with 100,000 source files: `node --conditions=source bench/scan.ts`,
 * after a build. Alternates between the command and a process that only reads the same files. `--files 1000` changes
 * the number of files and writes nothing.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { describeMachine } from './machine.ts'
import { readPage, withSection, writePage } from './page.ts'
import { median } from './statistics.ts'

const FILES = 100_000
const FILES_PER_FOLDER = 50
const FLAGS = 500
const ROUNDS = 5
/** One file in ten evaluates flags; one in five is data, which is not scanned. */
const FILES_PER_CALL = 10
const FILES_PER_DATA = 5
const MS_PER_S = 1000
const BYTES_PER_MB = 1e6

const COMMAND = fileURLToPath(new URL('../bin/burgee.mjs', import.meta.url))
const READER = fileURLToPath(new URL('scan/read-files.mjs', import.meta.url))
const { values } = parseArgs({ options: { files: { type: 'string', default: String(FILES) } } })
const files = Number(values.files)

/** Lines of code without calls: about 3 kB, the size of a usual source file. */
const CODE = Array.from(
  { length: 60 },
  (_, index) => `  const value${index} = compute(input${index}, { unit: 'pixel' })\n`,
).join('')

/** Files of several languages, with one call each. */
const LANGUAGES = [
  { ending: 'ts', call: (flag: string) => `if (client.isEnabled('${flag}', context)) start()\n` },
  { ending: 'py', call: (flag: string) => `if client.is_enabled("${flag}", context): start()\n` },
  { ending: 'go', call: (flag: string) => `if unleash.IsEnabled("${flag}") { start() }\n` },
  { ending: 'java', call: (flag: string) => `if (unleash.isEnabled("${flag}", context)) start();\n` },
] as const

function writeFiles(folder: string): void {
  for (let index = 0; index < files; index += 1) {
    const place = join(folder, `part-${Math.floor(index / FILES_PER_FOLDER)}`)
    if (index % FILES_PER_FOLDER === 0) mkdirSync(place)
    const language = LANGUAGES[index % LANGUAGES.length] ?? LANGUAGES[0]
    const call = index % FILES_PER_CALL === 0 ? language.call(`flag-${index % FLAGS}`) : ''
    const ending = index % FILES_PER_DATA === 1 ? 'json' : language.ending
    writeFileSync(join(place, `file-${index}.${ending}`), `${CODE}${call}`)
  }
}

async function time(args: readonly string[]): Promise<{ readonly ms: number; readonly output: string }> {
  const start = performance.now()
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = await text(child.stdout)
  return { ms: performance.now() - start, output }
}

console.log(describeMachine().join('\n'))
const folder = mkdtempSync(join(tmpdir(), 'burgee-scan-'))
const code = join(folder, 'code')
const flagFile = join(folder, 'flags.json')
mkdirSync(code)
writeFiles(code)
const features = Array.from({ length: FLAGS }, (_, index) => ({ name: `flag-${index}`, enabled: true, strategies: [] }))
writeFileSync(flagFile, JSON.stringify({ version: 2, features }))

const scans: number[] = []
const reads: number[] = []
let found = { files: 0, calls: 0 }
let bytes = 0
for (let round = 0; round < ROUNDS; round += 1) {
  const read = await time([READER, code])
  const scan = await time([COMMAND, 'refs', 'check', code, '--flags', flagFile, '--json'])
  found = JSON.parse(scan.output)
  bytes = Number(read.output)
  reads.push(read.ms)
  scans.push(scan.ms)
}
rmSync(folder, { recursive: true, force: true })

const seconds = (ms: number) => (ms / MS_PER_S).toFixed(1)
const number = (count: number) => count.toLocaleString('en')
const section = `
Written by \`node --conditions=source bench/scan.ts\`. \`burgee refs check\` runs on ${number(files)} files
(${(bytes / BYTES_PER_MB).toFixed(0)} MB), of which one in five is data that is not scanned. Runs of the command alternate with runs of a process
that only reads all of these files. Median of ${ROUNDS} runs, with the start of the process.

| | s |
|---|---|
| \`burgee refs check\`: ${number(found.calls)} calls in ${number(found.files)} files | ${seconds(median(scans))} |
| only reading all files | ${seconds(median(reads))} |
`
console.log(section)
if (files === FILES) writePage(withSection(readPage(), 'Scanning source code', section))
