import type { Logger } from '@burgee/kit/log/logger'

/** A logger that keeps what it is told of warnings and worse: a line each, the arguments behind the message. */
export function keptLog(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = []
  const say = (message: string, ...args: readonly unknown[]) =>
    void lines.push([message, ...args.map(String)].join(' '))
  return { logger: { debug: () => {}, info: () => {}, warn: say, error: say, fatal: say }, lines }
}
