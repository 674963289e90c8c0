import { escapeControls } from '@burgee/kit/terminal-text'

/** Writes lines to the output of a command. Names in them come from elsewhere: the terminal prints and never obeys them. */
export function print(text: string, stream: Pick<NodeJS.WriteStream, 'write'> = process.stdout): void {
  stream.write(`${escapeControls(text)}\n`)
}
