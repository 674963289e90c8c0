import type { FlagPage } from './flags.ts'
import { call, queryOf } from './http.ts'

/** Flags of all projects whose name or description has a text, by name. */
export const findFlags = async (text: string, limit: number) =>
  (
    await call<FlagPage>(
      'GET',
      `/api/admin/search/features${queryOf({ query: text, sortBy: 'name', sortOrder: 'asc', limit })}`,
    )
  ).features
