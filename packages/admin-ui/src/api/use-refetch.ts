import { type QueryKey, useQueryClient } from '@tanstack/react-query'

/**
 * Invalidates all queries whose key starts with one of the given keys. Resolves once the visible queries have been
 * refetched. Never rejects.
 */
export function useRefetch(): (...keys: readonly QueryKey[]) => Promise<void> {
  const queries = useQueryClient()
  return async (...keys) => {
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}
