import type { PlaygroundRequest, PlaygroundResponse } from '@burgee/protocol/playground'
import { call } from './http.ts'

/** Evaluates flags for a context, with explanations. */
export const evaluatePlayground = (body: PlaygroundRequest) =>
  call<PlaygroundResponse>('POST', '/api/admin/playground/advanced', body)
