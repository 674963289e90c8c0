import type { ContextFieldView, CreateContextField, UpdateContextField } from '@burgee/protocol/targeting/context-field'
import { call, path, readTagged } from './http.ts'

const FIELDS = '/api/admin/context'

/** All context fields, in their order. */
export const contextFields = () => call<ContextFieldView[]>('GET', FIELDS)

/** One context field as it is now, and its state. */
export const contextField = (name: string) => readTagged<ContextFieldView>(`${FIELDS}${path(name)}`)

/** Adds a context field. */
export const createField = (body: CreateContextField) => call<ContextFieldView>('POST', FIELDS, body)

/** Replaces everything of a context field but its name and its place in lists, in the state `ifMatch`; else 412. */
export const replaceField = (name: string, body: UpdateContextField, ifMatch?: string) =>
  call<void>('PUT', `${FIELDS}${path(name)}`, body, ifMatch)

/** Removes a context field that nothing reads. */
export const removeField = (name: string) => call<void>('DELETE', `${FIELDS}${path(name)}`)
