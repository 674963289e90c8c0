import {
  PlaygroundRequest,
  PlaygroundResponse,
  SimplePlaygroundRequest,
  SimplePlaygroundResponse,
} from '@burgee/protocol/playground'
import { playAdvanced, playSimple } from '../services/playground/playground.ts'
import { LONG_BODY } from './problem-lists.ts'
import { type Routes, route } from './route.ts'

const common = {
  method: 'POST',
  permission: null,
  tag: 'Playground',
  problems: LONG_BODY,
} as const

/**
 * What flags would be for a context, and why. Links in replies begin with the base path. Source: spec "Admin API
 * endpoints".
 */
export const playgroundRoutes: Routes = [
  route({
    ...common,
    url: '/api/admin/playground/advanced',
    summary: 'All flags of some projects in some environments, for one context or several at once.',
    description: 'Texts of the context with commas stand for several values; every combination is evaluated.',
    body: PlaygroundRequest,
    replies: { 200: { description: 'Every flag with the result of every part', schema: PlaygroundResponse } },
    handle: ({ body }, world) => playAdvanced(world, body, world.options.baseUriPath),
  }),
  route({
    ...common,
    url: '/api/admin/playground',
    summary: 'All flags of some projects in one environment, for one context.',
    body: SimplePlaygroundRequest,
    replies: { 200: { description: 'Every flag with the result of every part', schema: SimplePlaygroundResponse } },
    handle: ({ body }, world) => playSimple(world, body, world.options.baseUriPath),
  }),
]
