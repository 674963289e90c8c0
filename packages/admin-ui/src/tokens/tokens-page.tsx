import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { fetchTokens } from '../api/tokens.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useTexts } from '../text/texts.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { ListPage } from '../ui/page/list-page.tsx'
import { TokenTable } from './api-token-table.tsx'
import { CreateTokenDialog } from './create-token.tsx'
import { TOKEN_TEXTS } from './texts.ts'

const route = getRouteApi('/app/tokens')

/** Page of API tokens for SDKs and programs, which can be created and revoked. */
export function TokensPage() {
  const t = useTexts(TOKEN_TEXTS)
  const may = usePermissionCheck()
  const { create = false } = route.useSearch()
  const navigate = useNavigate()
  const mayCreate = may('CREATE_CLIENT_API_TOKEN')
  const go = (search: { create?: boolean }): void => void navigate({ to: '/tokens', search })
  const answer = useQuery({ queryKey: ['tokens'], queryFn: fetchTokens })
  const { title, intro, empty, emptyText } = t.tokens
  return (
    <>
      <ListPage
        title={title}
        intro={intro}
        answer={answer}
        create={
          <Group gap="xs">
            <LinkButton to="/connect" size="sm">
              {t.nav.connect}
            </LinkButton>
            {mayCreate && <Button onClick={() => go({ create: true })}>{t.tokens.create}</Button>}
          </Group>
        }
        empty={{ title: empty, text: emptyText }}
      >
        {(items) => <TokenTable tokens={items} />}
      </ListPage>
      <CreateTokenDialog opened={create && mayCreate} close={() => go({})} />
    </>
  )
}
