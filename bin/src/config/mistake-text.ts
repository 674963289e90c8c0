import { join } from 'node:path/posix'
import type { ConfigMistake } from '@burgee/protocol/administration/config-plan'

/** Formats a mistake with the path of its file in a folder, its line and its property. */
export function formatMistake(folder: string, { file, line, property, message }: ConfigMistake): string {
  return `${join(folder, file)}:${line}: ${property === '' ? '' : `${property}: `}${message}`
}
