import type { ImportPlan, ImportRequest, ImportResult, ImportWish } from '@burgee/protocol/administration/import'
import { callPatiently } from '../api/http.ts'

/** What an import would bring. */
export const planImport = (wish: ImportWish) => callPatiently<ImportPlan>('/api/admin/imports/plan', wish)

/** Does what a plan said. */
export const carryOutImport = (request: ImportRequest) => callPatiently<ImportResult>('/api/admin/imports', request)
