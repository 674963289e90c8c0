import { expect, test } from 'vitest'
import { type DescribedCalls, listWrites } from '../../support/described-writes.ts'
import { startProxy } from '../../support/proxy.ts'
import { startUpstream } from '../../support/upstream.ts'

type Bound =
  /** The route buffers a limited number of names and counts (`packages/proxy/src/usage`). */
  'usage bounds'

const WRITES: Readonly<Record<string, Bound>> = {
  'POST /ofrep/v1/evaluate/flags': 'usage bounds',
  'POST /ofrep/v1/evaluate/flags/{key}': 'usage bounds',
  'POST /proxy': 'usage bounds',
  'POST /proxy/all': 'usage bounds',
  'POST /proxy/all/client/metrics': 'usage bounds',
  'POST /proxy/client/metrics': 'usage bounds',
  'POST /proxy/client/register': 'usage bounds',
}

test('each write of a proxy has a bound', async () => {
  const upstream = await startUpstream()
  const proxy = await startProxy({
    flagUrl: upstream.url,
    enableOAS: true,
    enableAllEndpoint: true,
    expServerSideSdkConfig: { tokens: ['server-key'] },
  })
  try {
    const document = (await (await fetch(`${proxy.url}/docs/openapi.json`)).json()) as DescribedCalls
    expect(listWrites(document)).toEqual(Object.keys(WRITES).sort())
  } finally {
    await proxy.close()
    await upstream.close()
  }
})
