/** Filters of the change request list. */
export const REQUEST_KINDS = ['open', 'mine', 'over', 'all'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

/** URL parameters of the list. */
export interface RequestsSearch {
  readonly show?: RequestKind
}

/** Parses the URL parameters. Ignores invalid values. */
export function parseRequestsSearch({ show }: Record<string, unknown>): RequestsSearch {
  const kind = REQUEST_KINDS.find((one) => one === show)
  return kind === undefined ? {} : { show: kind }
}
