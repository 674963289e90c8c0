import type { ChangeRequest } from '@burgee/protocol/administration/change-request'

/** How many changes a change request holds. */
export function countChanges({ features, segments }: Pick<ChangeRequest, 'features' | 'segments'>): number {
  return features.reduce((sum, { changes }) => sum + changes.length, segments.length)
}
