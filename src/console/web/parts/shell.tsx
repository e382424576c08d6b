import {
  ChartColumn,
  House,
  KeyRound,
  LogOut,
  Menu,
  Moon,
  Settings,
  SquareKanban,
  Sun,
  Trash2,
  Upload,
  UserRound,
} from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Environment } from '../../../access/company.ts'
import { deleteDrafts } from '../drafts.ts'
import { initials } from '../format.ts'
import { remove } from '../http.ts'
import { follow } from '../live.ts'
import { useNews } from '../news.ts'
import { href, inEnvironment, onServer, pageOf } from '../place.ts'
import { isAdmin, resourceOf, session } from '../session.ts'
import { refreshDescription } from '../start.ts'
import { t } from '../texts.ts'
import { chooseTheme, isDark } from '../theme.ts'
import { listed, viewOf } from '../views.ts'
import { GlobalSearch } from './global-search.tsx'
import { Icon } from './icon.tsx'
import { WebhookBanner } from './webhook-banner.tsx'

interface Entry {
  page: string
  label: string
  icon: unknown
}

/** Resources that the menu does not list among the records. */
const work = ['task']

function menu(): { label: string; entries: Entry[] }[] {
  const records = listed().filter((of) => !work.includes(of))
  return [
    {
      label: t('Work'),
      entries: [
        { page: '/', label: t('Home'), icon: House },
        { page: '/pipeline', label: t('Pipeline'), icon: SquareKanban },
        ...work.map(entryFor),
        { page: '/reports', label: t('Reports'), icon: ChartColumn },
      ],
    },
    { label: t('Records'), entries: [...records.map(entryFor), { page: '/import', label: t('Import'), icon: Upload }] },
    {
      label: t('Manage'),
      entries: [
        { page: '/keys', label: t('API keys'), icon: KeyRound },
        ...(session.value!.plan.webhooks ? [entryFor('webhook')] : []),
        { page: '/trash', label: t('Trash'), icon: Trash2 },
        { page: '/settings', label: t('Settings'), icon: Settings },
      ],
    },
  ]
}

function entryFor(of: string): Entry {
  const { page, plural } = resourceOf(of)
  return { page, label: plural, icon: viewOf(of).icon }
}

/** The header and menu around every page. */
export function Shell({ environment, children }: { environment: Environment; children: ComponentChildren }) {
  const { path } = useLocation()
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [path])
  useEffect(() => follow(environment, session.value!.user.id), [environment])
  useNews(({ resource }) => resource === 'field', refreshDescription)
  return (
    <div class={`shell ${environment}`}>
      <a class="button skip" href="#main">
        {t('Skip to content')}
      </a>
      <header class="top">
        <button
          type="button"
          class="button quiet square menu-button"
          aria-label={t('Menu')}
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpen(!open)}
        >
          <Icon of={Menu} />
        </button>
        <a class="brand" href={href('/')}>
          <img src={onServer('/assets/icon.svg')} alt="" />
          <span>{session.value!.company.name}</span>
        </a>
        <GlobalSearch />
        <Switch environment={environment} />
        <UserMenu />
      </header>
      <nav id="menu" class={open ? 'side open' : 'side'} aria-label={t('Main')}>
        {menu().map(({ label, entries }) => (
          <div class="group" key={label}>
            <h2>{label}</h2>
            {entries.map((entry) => (
              <Link key={entry.page} {...entry} path={path} />
            ))}
          </div>
        ))}
      </nav>
      <main id="main" class="main" tabIndex={-1}>
        {environment === 'test' && <p class="band">{t('Test data: separate from your live records')}</p>}
        {isAdmin() && session.value!.plan.webhooks && <WebhookBanner key={environment} />}
        {children}
      </main>
    </div>
  )
}

function Link({ page, label, icon, path }: Entry & { path: string }) {
  const here = pageOf(path)
  const current = page === '/' ? here === '/' : here === page || here.startsWith(`${page}/`)
  return (
    <a href={href(page)} aria-current={current ? 'page' : undefined}>
      <Icon of={icon} />
      {label}
    </a>
  )
}

/** Switches between live and test data, and stays on the same page if it exists in both. */
function Switch({ environment }: { environment: Environment }) {
  const { path } = useLocation()
  const list = `/${pageOf(path).split('/')[1]}`
  return (
    <nav class="segments" aria-label={t('Data')}>
      {(['live', 'test'] as const).map((each) => (
        <a key={each} href={inEnvironment(list, each)} aria-current={each === environment}>
          {each === 'live' ? t('Live') : t('Test')}
        </a>
      ))}
    </nav>
  )
}

function UserMenu() {
  const { full_name, email } = session.value!.user
  const signOut = async () => {
    await remove('/console/session')
    deleteDrafts()
    location.assign(inEnvironment('/', 'live'))
  }
  return (
    <div class="menu">
      <button type="button" class="avatar" popovertarget="user-menu">
        <span aria-hidden="true">{initials(full_name)}</span>
        <span class="unseen">{t('Your account: {full_name}', { full_name })}</span>
      </button>
      <div id="user-menu" popover="auto">
        <div class="who">
          <div>{full_name}</div>
          <div class="muted small">{email}</div>
        </div>
        <a href={href('/settings/account')} onClick={closeMenu}>
          <Icon of={UserRound} /> {t('Your account')}
        </a>
        <ThemeButton />
        <button type="button" onClick={signOut}>
          <Icon of={LogOut} /> {t('Sign out')}
        </button>
      </div>
    </div>
  )
}

function closeMenu(): void {
  document.getElementById('user-menu')?.hidePopover()
}

function ThemeButton() {
  const dark = isDark()
  return (
    <button type="button" onClick={() => chooseTheme(dark ? 'light' : 'dark')}>
      <Icon of={dark ? Sun : Moon} /> {dark ? t('Light appearance') : t('Dark appearance')}
    </button>
  )
}
