import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { hashCases, RECORDED } from '../../tests/conformance/recorded-decisions.ts'
import { startYggdrasil } from '../../tests/conformance/yggdrasil-process.ts'

/**
 * Records the decisions of the Yggdrasil engine for `tests/conformance/yggdrasil.test.ts`: `node
 * bench/yggdrasil/record.ts PYTHON VERSION`, with a Python that has the package `yggdrasil-engine` in that version.
 */
const [python = 'python3', version = 'unknown'] = process.argv.slice(2)
const CASES = 600

const yggdrasil = startYggdrasil([python], {})
const lines: string[] = []
for (let number = 0; number < CASES; number += 1) lines.push(await yggdrasil.decide(number))
yggdrasil.end()
const header = JSON.stringify({ engine: `yggdrasil-engine ${version}`, cases: CASES, documents: hashCases(CASES) })
writeFileSync(RECORDED, brotliCompressSync(`${header}\n${lines.join('\n')}\n`))
process.stdout.write(`${lines.join('').length} decisions in ${fileURLToPath(RECORDED)}\n`)
