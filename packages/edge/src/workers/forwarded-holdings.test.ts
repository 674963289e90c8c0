import { toNetwork } from '@burgee/kit/http/client-network'
import { expect, test } from 'vitest'
import { DownstreamHoldings } from '../usage/downstream-holdings.ts'
import { startForwardedHoldings } from './forwarded-holdings.ts'

test('an edge whose reports reach several workers counts once, with its latest report', async () => {
  const state = { revision: { epoch: 'e1', id: 9 } }
  const primary = new DownstreamHoldings({ environments: { peek: () => state as never }, clock: () => 1000 })
  const ask = async (request: Parameters<Parameters<typeof startForwardedHoldings>[0]['ask']>[0]) => {
    if (request.kind === 'downstream') primary.accept(request.report)
  }
  const workers = [1, 2].map(() => startForwardedHoldings({ ask, clock: () => 1000 }))
  for (const [index, { downstream }] of workers.entries()) {
    const row = { environment: 'dev', projects: ['a'], kind: 'processes', appName: 'shop', oldest: 900 } as const
    downstream.accept({
      token: { id: 't1', environment: 'dev', projects: ['a'] },
      edge: { id: 'one', network: toNetwork('10.0.0.1') },
      rows: [{ ...row, projects: ['a'], revision: index + 1, connections: 2 }],
    })
  }
  await Promise.resolve()
  expect(primary.list()).toMatchObject([{ connections: 2, revision: { epoch: 'e1', id: 2 } }])
  for (const worker of workers) worker.close()
})
