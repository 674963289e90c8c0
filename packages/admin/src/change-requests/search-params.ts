/** Which change requests a list shows. */
export const REQUEST_KINDS = ['open', 'mine', 'over', 'all'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

/** What the address of the list says. */
export interface RequestsSearch {
  readonly show?: RequestKind
}

/** Reads the address; what is not understood is left out. */
export function readRequestsSearch({ show }: Record<string, unknown>): RequestsSearch {
  const kind = REQUEST_KINDS.find((one) => one === show)
  return kind === undefined ? {} : { show: kind }
}
