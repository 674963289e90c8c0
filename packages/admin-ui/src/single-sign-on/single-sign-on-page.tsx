import { Alert, Button, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  fetchOidcSettings,
  fetchSignInSettings,
  type SignInSettings,
  setPasswordLoginDisabled,
} from '../api/access/single-sign-on.ts'
import { getSsoAddress } from '../api/me.ts'
import { EditorLoader } from '../edit-conflict/editor-loader.tsx'
import { withoutEtag } from '../edit-conflict/replace-if-unchanged.ts'
import { useCatalogue } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { OidcForm } from './oidc-form.tsx'
import { SSO_TEXTS } from './texts.ts'

/** Page with the settings for single sign-on and password login. */
export function SingleSignOnPage() {
  const t = useCatalogue(SSO_TEXTS)
  const answer = useQuery({ queryKey: ['sign-in'], queryFn: fetchSignInSettings })
  return (
    <Page
      title={t.title}
      intro={
        <Text c="dimmed" mb="md">
          {t.intro}
        </Text>
      }
    >
      <Loaded answer={answer}>
        {(settings) => (
          <Stack className={ui.column ?? ''}>
            <EditorLoader of={['sign-in']} read={() => withoutEtag(fetchOidcSettings())}>
              {(opened) => opened !== undefined && <OidcForm settings={opened.value} />}
            </EditorLoader>
            <Passwords settings={settings} />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

function Passwords({ settings: { oidc, passwords } }: { settings: SignInSettings }) {
  const t = useCatalogue(SSO_TEXTS)
  const act = useAction()
  const isOff = passwords.disabled
  const change = () =>
    act({
      what: t.passwords,
      ...(isOff
        ? {}
        : {
            ask: { title: t.passwordsOffTitle, text: t.passwordsOffText, action: t.passwordsOff, isDanger: true },
          }),
      run: () => setPasswordLoginDisabled(!isOff),
      done: isOff ? t.passwordsAreOn : t.passwordsAreOff,
      changes: ['sign-in', 'login-ways'],
    })
  return (
    <Section title={t.passwords}>
      {oidc.enabled && !oidc.isTested && !isOff && (
        <Alert color="gray" mb="md">
          <Text size="sm" mb="xs">
            {t.notTested}
          </Text>
          <Button component="a" href={getSsoAddress('/single-sign-on')} variant="default">
            {t.test}
          </Button>
        </Alert>
      )}
      <Switch
        label={t.passwordsOn}
        description={oidc.enabled ? undefined : t.passwordsHint}
        checked={!isOff}
        disabled={!isOff && !oidc.isTested}
        onChange={() => void change()}
      />
    </Section>
  )
}
