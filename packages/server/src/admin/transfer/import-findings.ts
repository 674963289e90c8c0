import type { ImportFindings } from '@burgee/protocol/administration/feature-transfer'
import type { ImportTarget } from './feature-import-target.ts'
import { isOtherSegment } from './import-segments.ts'

/** Findings of one kind. */
export type Findings = ImportFindings['errors']

/** Converts rows of messages and items to findings; omits rows without items. */
export function toFindings(rows: readonly (readonly [message: string, items: readonly string[]])[]): Findings {
  return rows
    .filter(([, items]) => items.length > 0)
    .map(([message, items]) => ({ message, affectedItems: [...new Set(items)] }))
}

/** Returns the names of segments whose constraints differ between the target and the document. */
export function listDifferingSegments({ segments }: ImportTarget): string[] {
  return segments.findings.filter(isOtherSegment).map(({ name }) => name)
}
