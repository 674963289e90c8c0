import { createLogger } from '@burgee/kit/log/logger'
import { print } from './output.ts'

/** Says a line at every log level, in the form of the log. */
export function announce(text: string, json: boolean): void {
  const write = (line: string) => void process.stdout.write(line)
  if (json) createLogger({ level: 'info', json, secrets: () => [], write, clock: Date.now }).info(text)
  else print(text)
}
