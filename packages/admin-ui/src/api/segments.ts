import type { AdminSegment, SegmentInput } from '@burgee/protocol/targeting/segment'
import { buildPath, call, fetchWithEtag } from './http.ts'

const SEGMENTS = '/api/admin/segments'

/** Fetches all segments, sorted by name. */
export const fetchSegments = async () =>
  (await call<{ segments: AdminSegment[] }>('GET', SEGMENTS)).segments.sort((a, b) => a.name.localeCompare(b.name))

/** Fetches one segment with its ETag. */
export const fetchSegment = (id: number) => fetchWithEtag<AdminSegment>(`${SEGMENTS}${buildPath(id)}`)

/** Creates a segment. */
export const createSegment = (body: SegmentInput) => call<AdminSegment>('POST', SEGMENTS, body)

/**
 * Replaces a segment. Fails with 412 if the segment no longer matches `ifMatch`. Allows the save to remove all
 * constraints, because the user has already confirmed this.
 */
export const replaceSegment = (id: number, body: SegmentInput, ifMatch?: string) =>
  call<void>(
    'PUT',
    `${SEGMENTS}${buildPath(id)}${body.constraints.length === 0 ? '?allowEmpty=true' : ''}`,
    body,
    ifMatch,
  )

/** Removes an unused segment. */
export const removeSegment = (id: number) => call<void>('DELETE', `${SEGMENTS}${buildPath(id)}`)
