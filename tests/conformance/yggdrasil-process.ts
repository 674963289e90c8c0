import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { drawnCase } from './drawn-documents.ts'
import { CHANCE, type Decision, encodeDecision } from './recorded-decisions.ts'

const SCRIPT = fileURLToPath(new URL('../../bench/yggdrasil/decisions.py', import.meta.url))

/** Process that decides generated cases with the Yggdrasil engine. */
export interface Yggdrasil {
  /** Returns the codes of all decisions of a case, by context and flag. */
  decide(number: number): Promise<string>
  end(): void
}

/** Starts a Python that has the package `yggdrasil-engine`. */
export function startYggdrasil(python: readonly string[], env: Readonly<Record<string, string>>): Yggdrasil {
  const [program = '', ...args] = python
  const child = spawn(program, [...args, SCRIPT], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    decide: async (number) => {
      const { document, names, contexts } = drawnCase(number)
      child.stdin.write(`${JSON.stringify({ document: { version: 2, ...document }, names, contexts })}\n`)
      const { value, done } = await answers.next()
      if (done === true) throw new Error('The Yggdrasil engine ended')
      const decisions = JSON.parse(value) as Decision[][][]
      return decisions.flatMap((row) => row.map(encodeAll)).join('')
    },
    end: () => {
      child.stdin.end()
    },
  }
}

/** Encodes repeated decisions for one flag and context; if they differ, the outcome is random. */
function encodeAll(decisions: readonly Decision[]): string {
  const codes = new Set(decisions.map(encodeDecision))
  const [code = CHANCE, ...others] = codes
  return others.length === 0 ? code : CHANCE
}
