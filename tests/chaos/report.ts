import { appendFileSync } from 'node:fs'

/** Says what was done for a promise and what came of it: on standard output, and for the table of `npm run chaos`. */
export function report(promise: `P${number}`, done: string, figures: string): void {
  process.stdout.write(`${promise} ${done}: ${figures}\n`)
  const file = process.env.CHAOS_REPORT
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ promise, done, figures })}\n`)
}

/** The long form, which `npm run chaos` asks for. */
export const IS_LONG = process.env.CHAOS === 'full'
