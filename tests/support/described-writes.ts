/** Part of an OpenAPI document that lists its operations. */
export interface DescribedCalls {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const WRITING = ['post', 'put', 'patch', 'delete']

/** Lists the operations of a document that may store something as `POST /path/{parameter}`, sorted. */
export function listWrites({ paths }: DescribedCalls): string[] {
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => WRITING.includes(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    .sort()
}
