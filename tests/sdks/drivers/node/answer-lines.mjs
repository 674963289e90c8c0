import { createInterface } from 'node:readline'

/** Answers each line of standard input, a command in JSON, with a line of JSON. Ends the process with the input. */
export async function answerLines(commands) {
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line)
    const answer = await commands[command.do](command).catch((error) => ({ error: String(error) }))
    process.stdout.write(`${JSON.stringify(answer)}\n`)
  }
  process.exit(0)
}
