import { exec } from 'preact-iso/router'
import { listed } from '../data/resource-views.ts'
import { type Lazy, lazyPage } from '../parts/lazily.tsx'
import { pageOf } from '../session/place.ts'
import { resourceOf, session } from '../session/session.ts'

// Pages that are used together share one script.
const administration = () => import('./administration.ts')
const importing = () => import('./importing.ts')
const mail = () => import('./mail.ts')
const selling = () => import('./selling.ts')

const List = lazyPage(() => selling().then((pages) => pages.List))
const Record = lazyPage(() => selling().then((pages) => pages.Record))
const Duplicates = lazyPage(() => importing().then((pages) => pages.Duplicates))

/** Resources with their own list instead of the generic one. */
const lists: Readonly<{ [resource: string]: Page }> = { task: lazyPage(() => selling().then((pages) => pages.Tasks)) }

export const Setup = lazyPage(() => administration().then((pages) => pages.Setup))
export const Invitation = lazyPage(() => administration().then((pages) => pages.Invitation))

/** A page gets the parameters of its path. Pages of a resource get its name as `of`. */
type Page = Lazy<{ of: string; id: string; section: string }>

interface PageRoute {
  /** The path in an environment: `/keys/:id`. */
  path: string
  component: Page
  of?: string
}

const fixed: readonly PageRoute[] = [
  { path: '/', component: lazyPage(() => import('../home/home-page.tsx').then((page) => page.Home)) },
  { path: '/inbox', component: lazyPage(() => mail().then((pages) => pages.Inbox)) },
  { path: '/pipeline', component: lazyPage(() => import('../board/board-page.tsx').then((page) => page.Pipeline)) },
  { path: '/reports', component: lazyPage(() => import('../reports/reports-page.tsx').then((page) => page.Reports)) },
  { path: '/import', component: lazyPage(() => importing().then((pages) => pages.Import)) },
  { path: '/import/:id', component: lazyPage(() => importing().then((pages) => pages.ImportResult)) },
  { path: '/keys', component: lazyPage(() => administration().then((pages) => pages.Keys)) },
  { path: '/keys/:id', component: lazyPage(() => administration().then((pages) => pages.KeyPage)) },
  { path: '/webhooks', component: lazyPage(() => administration().then((pages) => pages.Webhooks)) },
  { path: '/webhooks/:id', component: lazyPage(() => administration().then((pages) => pages.WebhookPage)) },
  { path: '/agents', component: lazyPage(() => administration().then((pages) => pages.Agents)) },
  { path: '/proposals', component: lazyPage(() => administration().then((pages) => pages.Proposals)) },
  { path: '/trash', component: lazyPage(() => administration().then((pages) => pages.Trash)) },
  { path: '/settings/mail', component: lazyPage(() => mail().then((pages) => pages.MailSettings)) },
  { path: '/settings/:section?', component: lazyPage(() => administration().then((pages) => pages.Settings)) },
]

/** The pages for signed-in users. */
export function routes(): readonly PageRoute[] {
  return [...fixed, ...listed().flatMap(routesOf)]
}

function routesOf(of: string): PageRoute[] {
  const { page, mergeable } = resourceOf(of)
  return [
    ...(mergeable ? [{ path: `${page}/duplicates`, component: Duplicates, of }] : []),
    { path: page, component: lists[of] ?? List, of },
    { path: `${page}/:id`, component: Record, of },
  ]
}

/** Loads the script of the page at this address. The placeholder stays until then. */
export async function loadPage(): Promise<void> {
  if (!session.value) return
  const page = pageOf(location.pathname)
  await routes()
    .find(({ path }) => exec(page, path))
    ?.component.preload()
}
