import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { violationsOn } from './axe.ts'

const skip = withoutBrowser

type Api = Awaited<ReturnType<typeof openConsole>>['api']

async function pipelinesOf(api: Api): Promise<unknown[][]> {
  const { body } = await api.get('/api-v1-pipelines')
  return body.data.map(({ name, is_default }: JsonRecord) => [name, is_default])
}

async function stagesIn(api: Api, name: string): Promise<string[]> {
  const { body } = await api.get(`/api-v1-pipelines?filter[name]=${name}`)
  const { body: stages } = await api.get(`/api-v1-stages?filter[pipeline_id]=${body.data[0].id}`)
  return stages.data.map((each: JsonRecord) => each.name)
}

/** The kinds of the stages of the first pipeline. */
async function kindsOf(api: Api): Promise<string[]> {
  const { body } = await api.get('/api-v1-stages')
  return body.data.slice(0, 2).map(({ kind }: JsonRecord) => kind)
}

test('An admin adds, renames, orders and deletes pipelines, makes one the default, and gives each its stages', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await openPage(page, '/settings/stages')
  const pipelines = page.getByRole('region', { name: 'Pipelines' })
  const dialog = page.getByRole('dialog')
  await page.getByRole('region', { name: 'Stages', exact: true }).waitFor()
  const name = async (text: string) => {
    await dialog.getByLabel('Name').fill(text)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await idle(page)
  }

  await pipelines.getByRole('button', { name: 'Add pipeline' }).click()
  await name('Partner')
  await pipelines.getByRole('button', { name: 'Edit Partner' }).click()
  await name('Partners')
  const partners = page.getByRole('region', { name: 'Stages of Partners' })
  await partners.getByText('None yet.').waitFor()
  for (const stage of ['Offer', 'Signed']) {
    await partners.getByRole('button', { name: 'Add stage' }).click()
    await name(stage)
  }
  await partners.getByRole('button', { name: 'Move Signed up' }).click()
  await page.getByText('Signed moved.').waitFor()
  await idle(page)
  assert.deepEqual(await stagesIn(api, 'Partners'), ['Signed', 'Offer'])
  await pipelines.getByRole('button', { name: 'Move Partners up' }).click()
  await page.getByText('Partners moved.').waitFor()
  await idle(page)
  await pipelines.getByRole('button', { name: 'Make Partners the default' }).click()
  await page.getByText('Partners is the default now.').waitFor()
  await idle(page)
  assert.deepEqual(await pipelinesOf(api), [
    ['Partners', true],
    ['Sales', false],
  ])

  await partners.getByRole('button', { name: 'Edit Signed' }).click()
  await dialog.getByLabel('Kind').selectOption('Won')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual(await kindsOf(api), ['won', 'open'])
  await partners.getByRole('button', { name: 'Edit Offer' }).click()
  await dialog.getByLabel('Pipeline').selectOption('Sales')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: 'Stages of Sales' }).getByText('Offer').waitFor()
  assert.deepEqual(await stagesIn(api, 'Partners'), ['Signed'])
  assert.deepEqual(complaints, [])
})

test('What is moved by keyboard keeps the focus, also at the first and the last place', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const pipelines = ['Sales', 'Partners', 'Renewals']
  for (const name of pipelines.slice(1)) await make(api, 'pipeline', { name })
  await openPage(page, '/settings/stages')
  const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")')

  for (const [name, direction] of [
    ...[['Renewals', 'up'] as const, ['Renewals', 'up'] as const, ['Sales', 'down'] as const],
    ...[['Qualified', 'up'] as const, ['Negotiation', 'down'] as const, ['Negotiation', 'down'] as const],
  ]) {
    const move = page.getByRole('button', { name: `Move ${name} ${direction}` })
    await move.focus()
    await page.keyboard.press('Enter')
    await page.getByText(`${name} moved.`).last().waitFor()
    await idle(page)
    assert.equal(await focused(), `Move ${name} ${direction}`)
  }
  const first = page.getByRole('button', { name: 'Move Renewals up' })
  assert.equal(await first.getAttribute('aria-disabled'), 'true')
  await first.focus()
  await page.keyboard.press('Enter')
  assert.deepEqual(
    (await pipelinesOf(api)).map(([name]) => name),
    ['Renewals', 'Partners', 'Sales'],
  )
})

test('The default pipeline and one with deals are not deleted, and the dialog says why; the stages of another go and return with it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const partners = await make(api, 'pipeline', { name: 'Partners' })
  const stage = await make(api, 'stage', { name: 'Offer', pipeline_id: partners.id })
  const deal = await make(api, 'deal', { title: 'Hampers', stage_id: stage.id })
  await openPage(page, '/settings/stages')
  const pipelines = page.getByRole('region', { name: 'Pipelines' })
  const dialog = page.getByRole('dialog')
  const refused = async (name: string, reason: string) => {
    await pipelines.getByRole('button', { name: `Delete ${name}` }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText(reason).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }

  await refused('Sales', 'The default pipeline cannot be deleted: make another pipeline the default first')
  await refused('Partners', 'Pipeline has deals: move them to another pipeline first')

  await api.delete(`/api-v1-deals/${deal.id}`)
  await pipelines.getByRole('button', { name: 'Delete Partners' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Partners deleted.').waitFor()
  await idle(page)
  assert.deepEqual(await pipelinesOf(api), [['Sales', true]])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  await page.getByRole('region', { name: 'Stages of Partners' }).getByText('Offer').waitFor()
})

for (const { width, locale, colorScheme } of [
  { width: 1280, locale: 'en-US', colorScheme: 'light' },
  { width: 1920, locale: 'en-US', colorScheme: 'dark' },
  { width: 360, locale: 'de-DE', colorScheme: 'light' },
] as const) {
  test(`The settings of pipelines fit ${width} px, ${colorScheme}, ${locale}, and axe finds nothing`, {
    skip,
  }, async (t) => {
    const { api, page } = await openConsole(t, { width, locale })
    await page.emulateMedia({ colorScheme })
    const partners = await make(api, 'pipeline', { name: 'Großkundenrahmenvereinbarungen Europa' })
    await make(api, 'stage', { name: 'Offer', pipeline_id: partners.id })
    await openPage(page, '/settings/stages')

    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/pipelines-${width}.png`, fullPage: true })
    assert.deepEqual(await violationsOn(page), [])
    assert.ok(((await page.evaluate('document.documentElement.scrollWidth')) as number) <= width)
  })
}
