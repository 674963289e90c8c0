import { createInterface } from 'node:readline'

/**
 * Reads commands in JSON from standard input, one per line, and answers each with a line of JSON. Ends the process when
 * the input ends.
 */
export async function answerLines(commands) {
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line)
    const answer = await commands[command.do](command).catch((error) => ({ error: String(error) }))
    process.stdout.write(`${JSON.stringify(answer)}\n`)
  }
  process.exit(0)
}
