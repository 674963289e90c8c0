import type { AdminSegment, SegmentInput } from '@burgee/protocol/segment'
import { call, path } from './http.ts'

const SEGMENTS = '/api/admin/segments'

/** All segments, by name. */
export const segments = async () =>
  (await call<{ segments: AdminSegment[] }>('GET', SEGMENTS)).segments.sort((a, b) => a.name.localeCompare(b.name))

/** One segment as it is now. */
export const segment = (id: number) => call<AdminSegment>('GET', `${SEGMENTS}${path(id)}`)

/** Adds a segment. */
export const createSegment = (body: SegmentInput) => call<AdminSegment>('POST', SEGMENTS, body)

/** Replaces a segment. */
export const replaceSegment = (id: number, body: SegmentInput) => call<void>('PUT', `${SEGMENTS}${path(id)}`, body)

/** Removes a segment that nothing uses. */
export const removeSegment = (id: number) => call<void>('DELETE', `${SEGMENTS}${path(id)}`)
