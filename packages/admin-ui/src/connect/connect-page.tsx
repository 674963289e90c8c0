import { Stack, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { BASE_PATH } from '../api/http.ts'
import { useProject } from '../shell/project/use-project.ts'
import { dropEmpty } from '../shell/search-params.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Page } from '../ui/page/page.tsx'
import { Section } from '../ui/page/section.tsx'
import { ConnectionCheck } from './connection-check.tsx'
import { FlagChoice, useSampleFlag } from './flag-choice.tsx'
import type { Sdk } from './sdk.ts'
import { SdkChips } from './sdk-choice.tsx'
import { SdkCode } from './sdk-code.tsx'
import { findSdk, readLastSdk } from './sdks.ts'
import type { ConnectSearch } from './search-params.ts'
import { type SdkTarget, type SdkToken, TargetStep, useTargetEnvironments } from './target-step.tsx'
import { CONNECT_TEXTS } from './texts.ts'

const route = getRouteApi('/app/connect')
const NAMES = { servers: 'my-service', web: 'my-page', phones: 'my-app' } as const

/**
 * Guide from an empty project to a connected application: choose an SDK, get a token, copy the code, and watch the
 * first request arrive.
 */
export function ConnectPage() {
  const t = useCatalogue(CONNECT_TEXTS)
  const navigate = useNavigate()
  const search = route.useSearch()
  const [chosen] = useState(readLastSdk)
  const sdk = findSdk(search.sdk) ?? chosen
  const project = useProject()
  const { names, offered } = useTargetEnvironments(project)
  const environment = search.env !== undefined && names.includes(search.env) ? search.env : offered
  const [typed, setTyped] = useState<string>()
  const place: SdkTarget = { project, environment, appName: typed ?? NAMES[sdk.group] }
  const { held, hold } = useSdkTokens(sdk, place)
  const flag = useSampleFlag(project, search.flag)
  const go = (change: ConnectSearch): void =>
    void navigate({ to: '/connect', search: dropEmpty({ ...search, ...change }), replace: true })
  const put = ({ appName, project: next, environment: env }: Partial<SdkTarget>): void => {
    if (appName !== undefined) setTyped(appName)
    else go({ ...(next === undefined ? {} : { project: next, flag: '' }), ...(env === undefined ? {} : { env }) })
  }
  return (
    <Page
      title={t.title}
      intro={
        <Text c="dimmed" mb="md">
          {t.intro}
        </Text>
      }
    >
      <Stack gap="lg">
        <Section title={`1. ${t.which}`}>
          <SdkChips sdk={sdk} choose={({ id }) => go({ sdk: id })} />
          <Text size="sm" c="dimmed" mt="sm">
            {t.kinds[sdk.kind]}
          </Text>
        </Section>
        <Section title={`2. ${t.where}`}>
          <TargetStep key={`${sdk.kind} ${project}`} sdk={sdk} place={place} put={put} held={held} hold={hold} />
        </Section>
        <Section title={`3. ${t.code}`}>
          <FlagChoice key={project} project={project} flag={flag} choose={(name) => go({ flag: name })} />
          <CodeStep sdk={sdk} place={place} held={held} flag={flag} />
        </Section>
        <Section title={`4. ${t.start}`}>
          {held === undefined ? (
            <Text c="dimmed">{t.waitsForToken}</Text>
          ) : (
            <ConnectionCheck key={held.secret} sdk={sdk} place={place} held={held} />
          )}
        </Section>
      </Stack>
    </Page>
  )
}

/**
 * Stores created and pasted tokens by project, environment and kind, because the user may return to an earlier choice.
 */
function useSdkTokens(sdk: Sdk, { project, environment }: SdkTarget) {
  const [all, setAll] = useState<Readonly<Record<string, SdkToken | undefined>>>({})
  const key = JSON.stringify([sdk.kind, project, environment])
  const hold = useCallback((held: SdkToken | undefined): void => setAll((now) => ({ ...now, [key]: held })), [key])
  return { held: all[key], hold }
}

interface CodeStepProps {
  readonly sdk: Sdk
  readonly place: SdkTarget
  readonly held: SdkToken | undefined
  /** Flag that the code evaluates. If undefined, the code contains the sample flag from the documentation. */
  readonly flag: string | undefined
}

function CodeStep({ sdk, place, held, flag }: CodeStepProps) {
  const t = useCatalogue(CONNECT_TEXTS)
  const token = held && { kind: sdk.kind, secret: held.secret }
  const isBoth = sdk.files.some(({ code }) =>
    code.includes(sdk.kind === 'client' ? '<frontend token>' : '<client token>'),
  )
  return (
    <>
      {held === undefined && (
        <Text size="sm" mb="sm">
          {t.noTokenYet}
        </Text>
      )}
      <SdkCode
        sdk={sdk}
        filling={{ address: `${location.origin}${BASE_PATH}`, appName: place.appName.trim() || undefined, token, flag }}
      />
      {isBoth && (
        <Text size="sm" c="dimmed" mt="sm">
          {t.alsoServer}
        </Text>
      )}
    </>
  )
}
