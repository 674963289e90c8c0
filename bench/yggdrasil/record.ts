import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { drawnCase } from '../../tests/conformance/drawn-documents.ts'
import {
  CHANCE,
  type Decision,
  encodeDecision,
  hashCases,
  RECORDED,
} from '../../tests/conformance/recorded-decisions.ts'

/**
 * Records the decisions of the Yggdrasil engine for `tests/conformance/yggdrasil.test.ts`: `node
 * bench/yggdrasil/record.ts PYTHON VERSION`, with a Python that has the package `yggdrasil-engine` in that version.
 */
const [python = 'python3', version = 'unknown'] = process.argv.slice(2)
const CASES = 600

const script = fileURLToPath(new URL('decisions.py', import.meta.url))
const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

const lines: string[] = []
for (let number = 0; number < CASES; number += 1) {
  const { document, names, contexts } = drawnCase(number)
  child.stdin.write(`${JSON.stringify({ document: { version: 2, ...document }, names, contexts })}\n`)
  const { value } = await answers.next()
  const decisions = JSON.parse(String(value)) as Decision[][][]
  lines.push(decisions.flatMap((row) => row.map(encodeAll)).join(''))
}
child.stdin.end()
const header = JSON.stringify({ engine: `yggdrasil-engine ${version}`, cases: CASES, documents: hashCases(CASES) })
writeFileSync(RECORDED, brotliCompressSync(`${header}\n${lines.join('\n')}\n`))
process.stdout.write(`${lines.join('').length} decisions in ${fileURLToPath(RECORDED)}\n`)

/** Encodes the repeated decisions of one flag and context; if they differ, the outcome is random. */
function encodeAll(decisions: readonly Decision[]): string {
  const codes = new Set(decisions.map(encodeDecision))
  const [code = CHANCE, ...others] = codes
  return others.length === 0 ? code : CHANCE
}
