import { type Route, routesFor } from '@burgee/kit/http/route'
import {
  PlaygroundRequest,
  PlaygroundResponse,
  SimplePlaygroundRequest,
  SimplePlaygroundResponse,
} from '@burgee/protocol/playground'
import { playAdvanced, playSimple } from '../services/playground/playground.ts'
import type { World } from '../services/world.ts'
import type { Access } from './access/auth.ts'

const route = routesFor<Access>()
const common = {
  method: 'POST',
  permission: null,
  tag: 'Playground',
  problems: ['ValidationError', 'AuthenticationRequired', 'NoAccessError', 'ContentTypeerror', 'PayloadTooLargeError'],
} as const

/** What flags would be for a context, and why. `basePath` begins the links of replies. Source: spec "Admin API endpoints". */
export const playgroundRoutes = (world: World, basePath: string): Route<Access>[] => [
  route({
    ...common,
    url: '/api/admin/playground/advanced',
    summary: 'All flags of some projects in some environments, for one context or several at once.',
    description: 'Texts of the context with commas stand for several values; every combination is evaluated.',
    body: PlaygroundRequest,
    replies: { 200: { description: 'Every flag with the result of every part', schema: PlaygroundResponse } },
    handle: ({ body }) => playAdvanced(world, body, basePath),
  }),
  route({
    ...common,
    url: '/api/admin/playground',
    summary: 'All flags of some projects in one environment, for one context.',
    body: SimplePlaygroundRequest,
    replies: { 200: { description: 'Every flag with the result of every part', schema: SimplePlaygroundResponse } },
    handle: ({ body }) => playSimple(world, body, basePath),
  }),
]
