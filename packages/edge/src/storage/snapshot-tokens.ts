import { isObject } from '@burgee/kit/input/is-object'
import type { SnapshotToken } from './edge-storage.ts'

/** Maximum length of a token or name. Valid tokens and names are always shorter. */
const MAX_TEXT_LENGTH = 2000
const KINDS: Readonly<Record<string, SnapshotToken['type']>> = {
  backend: 'backend',
  client: 'backend',
  frontend: 'frontend',
}

/**
 * Returns the usable tokens in a list: tokens that have been validated and belong to a single environment. Accepts all
 * spellings of token kinds, in upper or lower case. Never throws. Source: wire protocol, section "Files and offline
 * mode"
 */
export function readTokens(list: readonly unknown[]): SnapshotToken[] {
  return list.flatMap((item) => {
    if (!isObject(item) || ('status' in item && !isValidated(item.status))) return []
    const { token, type, environment, projects } = item
    const kind = typeof type === 'string' ? KINDS[type.toLowerCase()] : undefined
    if (kind === undefined || !isName(token) || !isName(environment) || environment === '*') return []
    if (!Array.isArray(projects) || projects.length === 0 || !projects.every(isName)) return []
    return [{ token, type: kind, environment, projects: [...projects] }]
  })
}

function isValidated(status: unknown): boolean {
  return typeof status === 'string' && status.toLowerCase() === 'validated'
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH
}
