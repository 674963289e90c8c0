import { join } from 'node:path/posix'
import { escapeNames } from '@burgee/kit/terminal-text'
import type { ConfigMistake } from '@burgee/protocol/administration/config-plan'

/** Formats a mistake as one line, with the path of its file in a folder, its line and its property. */
export function formatMistake(folder: string, { file, line, property, message }: ConfigMistake): string {
  return escapeNames(`${join(folder, file)}:${line}: ${property === '' ? '' : `${property}: `}${message}`)
}
