import { createLogger } from '@burgee/kit/log/logger'
import { print } from './output.ts'

/** Writes a line to standard output regardless of the log level, in the log's format. */
export function announce(text: string, json: boolean): void {
  const write = (line: string) => void process.stdout.write(line)
  if (json) createLogger({ level: 'info', json, secrets: () => [], write, clock: Date.now }).info(text)
  else print(text)
}
