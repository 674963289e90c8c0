import { escapeControls } from '@burgee/kit/terminal-text'

/**
 * Prints the output of a command. Escapes control characters, because names in the output come from untrusted sources.
 */
export function print(text: string, stream: Pick<NodeJS.WriteStream, 'write'> = process.stdout): void {
  stream.write(`${escapeControls(text)}\n`)
}
