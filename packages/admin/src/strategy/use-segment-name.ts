import { useQuery } from '@tanstack/react-query'
import { SEGMENTS } from '../api/queries.ts'

/** Names of segments by their ids; the id where a segment is not known. */
export function useSegmentName(): (id: number) => string {
  const { data = [] } = useQuery(SEGMENTS)
  return (id) => data.find((segment) => segment.id === id)?.name ?? `#${id}`
}
