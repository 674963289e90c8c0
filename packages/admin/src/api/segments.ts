import type { AdminSegment, SegmentInput } from '@burgee/protocol/targeting/segment'
import { call, path, readTagged } from './http.ts'

const SEGMENTS = '/api/admin/segments'

/** All segments, by name. */
export const segments = async () =>
  (await call<{ segments: AdminSegment[] }>('GET', SEGMENTS)).segments.sort((a, b) => a.name.localeCompare(b.name))

/** One segment as it is now, and its state. */
export const segment = (id: number) => readTagged<AdminSegment>(`${SEGMENTS}${path(id)}`)

/** Adds a segment. */
export const createSegment = (body: SegmentInput) => call<AdminSegment>('POST', SEGMENTS, body)

/** Replaces a segment that is still in the state `ifMatch`; else 412. It may lose its constraints: people were asked. */
export const replaceSegment = (id: number, body: SegmentInput, ifMatch?: string) =>
  call<void>('PUT', `${SEGMENTS}${path(id)}${body.constraints.length === 0 ? '?allowEmpty=true' : ''}`, body, ifMatch)

/** Removes a segment that nothing uses. */
export const removeSegment = (id: number) => call<void>('DELETE', `${SEGMENTS}${path(id)}`)
