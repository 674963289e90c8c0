import type { Integrations } from '@burgee/protocol/administration/integration'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { ListPage } from '../ui/page/list-page.tsx'
import { DeliveryLog, TestDialog, type TestResult } from './delivery-log.tsx'
import { INTEGRATIONS } from './integration-calls.ts'
import { IntegrationEditor } from './integration-editor.tsx'
import { getIntegrationName } from './integration-name.ts'
import { IntegrationTable } from './integration-table.tsx'
import type { IntegrationSearch } from './search-params.ts'
import { INTEGRATION_TEXTS } from './texts.ts'

const route = getRouteApi('/app/integrations')
const NEW = 'new'

/** Page of webhooks and chat integrations with their status and deliveries. */
export function IntegrationsPage() {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const { edit, log } = route.useSearch()
  const navigate = useNavigate()
  const may = usePermissionCheck()
  const [tested, setTested] = useState<TestResult>()
  const answer = useQuery(INTEGRATIONS)
  const { data } = answer
  const go = (search: IntegrationSearch): void => void navigate({ to: '/integrations', search })
  const close = (): void => go({})
  const wanted = edit ?? log
  const found = data?.addons.find(({ id }) => String(id) === wanted)
  const isEditing = edit === NEW ? may('CREATE_ADDON') : edit !== undefined && may('UPDATE_ADDON')
  return (
    <>
      <ListPage
        title={t.title}
        intro={t.intro}
        answer={{ ...answer, data: data?.addons }}
        wanted={{ name: wanted, isThere: found !== undefined, forget: close }}
        create={may('CREATE_ADDON') && <Button onClick={() => go({ edit: NEW })}>{t.create}</Button>}
        empty={{ title: t.empty, text: t.emptyText }}
      >
        {() => <IntegrationTable all={data as Integrations} go={go} tested={setTested} />}
      </ListPage>
      {data !== undefined && isEditing && (edit === NEW || found !== undefined) && (
        <IntegrationEditor key={edit} id={found?.id} providers={data.providers} close={close} />
      )}
      {data !== undefined && log !== undefined && found !== undefined && (
        <DeliveryLog id={found.id} name={getIntegrationName(found, data.providers)} close={close} />
      )}
      {tested !== undefined && <TestDialog tested={tested} close={() => setTested(undefined)} />}
    </>
  )
}
