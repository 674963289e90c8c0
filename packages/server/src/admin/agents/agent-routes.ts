import {
  AgentLimit,
  AgentLimitInput,
  AgentLimits,
  AgentWrites,
  MAX_AGENT_WRITES_PER_HOUR,
} from '@burgee/protocol/administration/agent'
import { type ListedAgentWrite, listAgentWrites } from '@burgee/storage/queries/agents/agent-writes'
import Type from 'typebox'
import { hasPermission } from '../../core/access/rights/rights.ts'
import { execute } from '../../core/execute.ts'
import { LIST, SEARCH, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { readAgentLimits, setAgentLimit } from './agent-limits.ts'

const AGENTS = '/api/admin/agents'
const DEFAULT_LIMIT = 50

function toWrite(row: ListedAgentWrite) {
  return {
    id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    tool: row.tool,
    outcome: row.outcome,
    project: row.project,
    environment: row.environment,
    feature: row.feature_name,
    user: row.username ?? row.email,
    token: row.token,
    client: row.client_name,
    version: row.client_version,
  }
}

/**
 * Routes for the limits of agents and the writes that agents have made. The routes are not part of the wire protocol.
 */
export const agentRoutes: Routes = [
  route({
    method: 'GET',
    url: `${AGENTS}/limits`,
    permission: null,
    tag: 'Agents',
    summary: 'Lists what agents may do in each environment: read, propose changes, or make changes.',
    replies: { 200: { description: 'Limits', schema: AgentLimits } },
    problems: LIST,
    handle: async (_input, { db }) => ({
      limits: await readAgentLimits(db.reader),
      writesPerHour: MAX_AGENT_WRITES_PER_HOUR,
    }),
  }),
  route({
    method: 'PUT',
    url: `${AGENTS}/limits/:environment`,
    permission: 'ADMIN',
    tag: 'Agents',
    summary: 'Sets what agents may do in an environment.',
    params: Type.Object({ environment: Type.String() }),
    body: AgentLimitInput,
    replies: { 200: { description: 'Limit', schema: AgentLimit } },
    problems: WRITE,
    handle: ({ params: { environment }, body: { access: allowed }, access }, world) =>
      execute(world, access.actor, setAgentLimit, { environment, access: allowed }),
  }),
  route({
    method: 'GET',
    url: `${AGENTS}/writes`,
    permission: null,
    tag: 'Agents',
    summary: 'Lists the newest changes of agents; callers other than administrators see the changes of their tokens.',
    query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })) }),
    replies: { 200: { description: 'Writes', schema: AgentWrites } },
    problems: SEARCH,
    handle: async ({ query: { limit = DEFAULT_LIMIT }, access: { actor } }, { db }) => {
      const owner = hasPermission(actor, 'ADMIN') ? {} : { userId: actor.userId }
      return { writes: (await listAgentWrites(db.reader, { limit, hidden: actor.hidden, ...owner })).map(toWrite) }
    },
  }),
]
