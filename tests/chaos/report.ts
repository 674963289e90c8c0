import { appendFileSync } from 'node:fs'

/**
 * Reports an experiment about a promise and its result, on standard output and for the table that `npm run chaos`
 * prints.
 */
export function report(promise: `P${number}`, done: string, figures: string): void {
  process.stdout.write(`${promise} ${done}: ${figures}\n`)
  const file = process.env.CHAOS_REPORT
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ promise, done, figures })}\n`)
}

/** True for the long form of the tests, which `npm run chaos` runs. */
export const IS_LONG = process.env.CHAOS === 'full'
