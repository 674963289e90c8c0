import { Reply } from '@burgee/kit/http/route'
import {
  ContextFieldView,
  CreateContextField,
  FieldName,
  LegalValue,
  StrategiesUsing,
  UpdateContextField,
} from '@burgee/protocol/targeting/context-field'
import type { Reader } from '@burgee/storage/database'
import { listFieldUses } from '@burgee/storage/queries/targeting/context-fields'
import Type from 'typebox'
import { filterVisible } from '../../core/access/rights/hidden-projects.ts'
import { execute } from '../../core/execute.ts'
import { LIST, READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE } from '../../core/http/route-parts.ts'
import { ifUnchanged } from '../../core/preconditions.ts'
import {
  createContextField,
  putLegalValue,
  readContextFields,
  removeContextField,
  removeLegalValue,
  replaceContextField,
  requireContextField,
  requireFreeField,
  toContextField,
} from './context-fields.ts'

const FIELDS = '/api/admin/context'
const tag = 'Context fields'
const Params = Type.Object({ contextField: Type.String() })
const one = { url: `${FIELDS}/:contextField`, tag, params: Params } as const
const CONDITION = 'With `If-Match`, only while the field and its use are as the ETag of the reply to GET says.'
const update = { ...one, permission: 'UPDATE_CONTEXT_FIELD' } as const

/** Returns the context field in the form of a GET reply, because `If-Match` is compared with the ETag of this form. */
async function show(reader: Reader, { name }: { readonly name: string }) {
  return toContextField(await requireContextField(reader, name), await listFieldUses(reader, name))
}

/** Routes for context fields, which describe the evaluation context. Source: wire protocol */
export const contextFieldRoutes: Routes = [
  route({
    method: 'GET',
    url: FIELDS,
    permission: null,
    tag,
    summary: 'Lists context fields with the number of flags and projects that use them.',
    replies: { 200: { description: 'Fields', schema: Type.Array(ContextFieldView) } },
    problems: LIST,
    handle: (_input, world) => world.db.view(readContextFields),
  }),
  route({
    ...one,
    method: 'GET',
    permission: null,
    summary: 'Returns a context field.',
    replies: { 200: { description: 'The field', schema: ContextFieldView } },
    problems: READ,
    handle: ({ params: { contextField: name } }, world) => world.db.view((reader) => show(reader, { name })),
  }),
  route({
    ...one,
    method: 'GET',
    url: `${FIELDS}/:contextField/strategies`,
    permission: null,
    summary: 'Lists strategies whose own constraints use a context field.',
    replies: { 200: { description: 'Strategies', schema: StrategiesUsing } },
    problems: READ,
    handle: ({ params: { contextField: name }, access: { actor } }, world) =>
      world.db.view(async (reader) => {
        await requireContextField(reader, name)
        return {
          strategies: filterVisible(actor.hidden, await listFieldUses(reader, name), ({ project }) => project).map(
            (use) => ({
              id: use.strategy,
              projectId: use.project,
              featureName: use.feature,
              strategyName: use.strategyName,
              environment: use.environment,
            }),
          ),
        }
      }),
  }),
  route({
    method: 'POST',
    url: FIELDS,
    permission: 'CREATE_CONTEXT_FIELD',
    tag,
    summary: 'Creates a context field.',
    body: CreateContextField,
    replies: { 201: { description: 'The field', schema: ContextFieldView } },
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body, access }, world) => {
      const row = await execute(world, access.actor, createContextField, body)
      return Reply.json(201, toContextField(row), { location: `context/${row.name}` })
    },
  }),
  route({
    method: 'POST',
    url: `${FIELDS}/validate`,
    permission: 'UPDATE_CONTEXT_FIELD',
    tag,
    summary: 'Checks whether a context field name is valid and available.',
    body: FieldName,
    replies: { 200: { description: 'Valid' } },
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body }, world) => {
      await requireFreeField(world.db.reader, body.name)
      return new Reply(200)
    },
  }),
  route({
    ...update,
    method: 'PUT',
    summary: 'Updates a context field. Omitted properties keep their value.',
    description: CONDITION,
    body: UpdateContextField,
    replies: DONE,
    problems: [...WRITE, 'PreconditionFailedError'],
    handle: async ({ params: { contextField: name }, body, access, caller }, world) => {
      const change = ifUnchanged(caller.headers['if-match'], show, replaceContextField)
      await execute(world, access.actor, change, { name, body })
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: 'DELETE_CONTEXT_FIELD',
    summary: 'Deletes a context field that nothing uses; not a built-in one.',
    description: CONDITION,
    replies: DONE,
    problems: [...REMOVE, 'InvalidOperationError', 'ConflictError', 'PreconditionFailedError'],
    handle: async ({ params: { contextField: name }, access, caller }, world) => {
      const change = ifUnchanged(caller.headers['if-match'], show, removeContextField)
      await execute(world, access.actor, change, { name, hidden: access.actor.hidden })
      return new Reply(200)
    },
  }),
  route({
    ...update,
    method: 'POST',
    url: `${FIELDS}/:contextField/legal-values`,
    summary: 'Adds a legal value, or updates its description.',
    body: LegalValue,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params: { contextField: name }, body, access }, world) => {
      await execute(world, access.actor, putLegalValue, { name, value: body })
      return new Reply(200)
    },
  }),
  route({
    ...update,
    method: 'DELETE',
    url: `${FIELDS}/:contextField/legal-values/:legalValue`,
    summary: 'Deletes a legal value.',
    params: Type.Object({ contextField: Type.String(), legalValue: Type.String() }),
    replies: DONE,
    problems: REMOVE,
    handle: async ({ params: { contextField: name, legalValue: value }, access }, world) => {
      await execute(world, access.actor, removeLegalValue, { name, value })
      return new Reply(200)
    },
  }),
]
