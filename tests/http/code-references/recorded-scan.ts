/** Request that `ld-find-code-refs` sent, in the order of one scan. Recorded with version 2.13.0. */
export interface RecordedRequest {
  readonly call: string
  readonly body?: unknown
  readonly status: number
}

/** Headers of every request, except for the token. */
export const SCANNER_HEADERS = {
  'user-agent': 'LDFindCodeRefs/2.13.0',
  'content-type': 'application/json',
  'ld-api-version': '20220603',
} as const

const R = '/api/v2/code-refs/repositories'
export const HEAD = '9d69dcafa6b0676ab92e43e38f8921757cf1a3aa'

/** Body with which the scanner added the repository. */
export const REPOSITORY = {
  type: 'custom',
  name: 'web',
  sourceLink: 'https://git.example.com/web',
  commitUrlTemplate: `https://git.example.com/web/commit/\${sha}`,
  hunkUrlTemplate: `https://git.example.com/web/\${sha}/\${filePath}#L\${lineNumber}`,
  defaultBranch: 'main',
}

/** Body with which the scanner uploaded the references of the branch. */
export const UPLOAD = {
  name: 'main',
  head: HEAD,
  updateSequenceId: 1,
  syncTime: 1795883193948,
  references: [
    {
      path: 'src/a.ts',
      hunks: [
        {
          startingLineNumber: 1,
          lines: "export const a = (client: any) => client.isEnabled('new-checkout') ? 1 : 2\nx",
          projKey: 'shop',
          flagKey: 'new-checkout',
          contentHash: '019da013a10f25563f8138afaa6be72dc30d5629',
        },
      ],
    },
    {
      path: 'src/b.py',
      hunks: [
        {
          startingLineNumber: 1,
          lines: 'def f(client):\n    if client.is_enabled("x"):\n        return client.get_variant("old-search")',
          projKey: 'shop',
          flagKey: 'old-search',
          contentHash: '4be273be61c4134073cb17dfe6efa1d8abaef674',
        },
      ],
    },
  ],
  commitTime: 1795883193000,
}

/** Commit that the scanner reported as the removal of a flag. */
export const REMOVAL = {
  revision: HEAD,
  message: 'remove gone-flag\n',
  time: 1795883193000,
  projKey: 'shop',
  flagKey: 'gone-flag',
}

/** Requests of the first scan of a repository. */
export const FIRST_SCAN: readonly RecordedRequest[] = [
  { call: `GET ${R}/web`, status: 404 },
  { call: `POST ${R}`, body: REPOSITORY, status: 201 },
  { call: 'GET /api/v2/projects/shop/environments?limit=1', status: 200 },
  { call: 'GET /api/v2/flags/shop?env=production', status: 200 },
  { call: 'GET /api/v2/flags/shop?env=production&filter=state%3Aarchived', status: 200 },
  { call: `PUT ${R}/web/branches/main`, body: UPLOAD, status: 200 },
  { call: `POST ${R}/web/branches/main/extinction-events`, body: [REMOVAL], status: 200 },
  { call: `GET ${R}/web/branches`, status: 200 },
  { call: `POST ${R}/web/branch-delete-tasks`, body: ['gone'], status: 200 },
]
