import type { PlaygroundRequest, PlaygroundResponse } from '@burgee/protocol/playground'
import { call } from './http.ts'

/** What flags would be for a context, and why. */
export const play = (body: PlaygroundRequest) =>
  call<PlaygroundResponse>('POST', '/api/admin/playground/advanced', body)
