import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { article, copyWith } from '../guard/new-resource.ts'
import { openScreen, withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { idle, openPage } from '../support/page.ts'
import { violationsOn } from './axe.ts'

const skip = withoutBrowser

const main = (page: Page) => page.getByRole('main')

test('The items of an added resource are created, shown, edited and removed with all their fields', {
  skip,
}, async (t) => {
  const { page, url, complaints } = await openConsole(t, {
    program: [process.execPath, join(copyWith(t, article), 'src/main.ts')],
  })

  await t.test('The form of a new record asks for every field of an item, also of a single one', async () => {
    const dialog = await openForm(page)
    await dialog.getByLabel('Name').first().fill('Booth')
    const seats = dialog.getByRole('group', { name: 'Seats' })
    await addSeat(seats, 0, 'Ada', '2026-06-15', 'admin')
    await seats.getByRole('button', { name: 'Add seat' }).click()
    await seats.locator('.item').nth(1).getByLabel('Label').and(page.locator(':focus')).waitFor()
    await seats.getByRole('button', { name: 'Add seat' }).click()
    await addSeat(seats, 2, 'Grace')
    const sizes = dialog.getByRole('group', { name: 'Sizes' })
    assert.equal(await sizes.getByRole('combobox').count(), 0)
    await sizes.getByRole('button', { name: 'Add size' }).click()
    await sizes.getByRole('button', { name: 'Add size' }).click()
    await sizes.getByRole('combobox', { name: 'Size' }).nth(1).selectOption('large')
    assert.deepEqual(await violationsOn(page), [])
    await page.setViewportSize({ width: 360, height: 740 })
    assert.ok(await seats.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
    await page.setViewportSize({ width: 1280, height: 860 })
    await dialog.getByRole('button', { name: 'Create article' }).click()
    await main(page).getByRole('heading', { name: 'Booth', level: 1 }).waitFor()
    await idle(page)

    const { seats: sent, sizes: sizesSent } = await onlyArticle(page)
    assert.deepEqual(sent, [
      { label: 'admin', since: '2026-06-15', name: 'Ada' },
      { label: 'standard', since: null, name: 'Grace' },
    ])
    assert.deepEqual(sizesSent, [{ size: 'small' }, { size: 'large' }])
  })

  await t.test('Its page shows every field', async () => {
    const seats = main(page).getByRole('region', { name: 'Seats' })
    assert.deepEqual(await seats.getByRole('listitem').allInnerTexts(), [
      'Ada Label: Admin · Since: 15 Jun 2026',
      'Grace Label: Standard',
    ])
    const sizes = main(page).getByRole('region', { name: 'Sizes' })
    assert.deepEqual(
      (await sizes.getByRole('listitem').allInnerTexts()).map((each) => each.trim()),
      ['Small', 'Large'],
    )
    assert.deepEqual(await violationsOn(page), [])
  })

  await t.test('An item is added and edited in a form with the same inputs', async () => {
    const seats = main(page).getByRole('region', { name: 'Seats' })
    await seats.getByRole('button', { name: 'Add seat', exact: true }).click()
    const added = page.getByRole('dialog', { name: 'Add seat' })
    await added.getByLabel('Since').fill('2026-07-01')
    await added.getByLabel('Name').fill('Mary')
    await added.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Seat added.').waitFor()
    await seats.getByText('Label: Standard · Since: 1 Jul 2026').waitFor()

    await seats.getByRole('button', { name: 'Edit Ada' }).click()
    const edited = page.getByRole('dialog', { name: 'Edit seat' })
    await edited.getByLabel('Since').fill('')
    await edited.getByLabel('Label').selectOption('standard')
    await edited.getByRole('button', { name: 'Save' }).click()
    await edited.waitFor({ state: 'detached' })
    await seats.getByText('15 Jun 2026').waitFor({ state: 'detached' })
    assert.deepEqual((await onlyArticle(page)).seats, [
      { label: 'standard', since: null, name: 'Ada' },
      { label: 'standard', since: null, name: 'Grace' },
      { label: 'standard', since: '2026-07-01', name: 'Mary' },
    ])
  })

  await t.test('The question before an item is removed names its record', async () => {
    await main(page).getByRole('button', { name: 'Remove Grace' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Grace?' })
    await dialog.getByText('It is removed from this article.').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Grace removed.').waitFor()
    await main(page).getByRole('button', { name: 'Edit Grace' }).waitFor({ state: 'detached' })
    await main(page).getByRole('button', { name: 'Remove Large' }).click()
    await page.getByRole('dialog', { name: 'Remove Large?' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Large removed.').waitFor()

    const { seats, sizes } = await onlyArticle(page)
    assert.deepEqual([seats.map(({ name }) => name), sizes], [['Ada', 'Mary'], [{ size: 'small' }]])
  })

  await t.test('Its history and its list show them, too', async () => {
    await main(page).getByRole('link', { name: 'History' }).click()
    await main(page).getByText('Ada (Label: Admin · Since: 15 Jun 2026), Grace (Label: Standard)').first().waitFor()
    await main(page).getByText('Small, Large').first().waitFor()

    await openPage(page, '/articles')
    await main(page).getByRole('button', { name: 'Columns' }).click()
    for (const name of ['Seat', 'Size']) await page.getByRole('dialog').getByLabel(name).check()
    await page.keyboard.press('Escape')
    await main(page).getByRole('cell', { name: 'Ada, Mary' }).waitFor()
    await main(page).getByRole('cell', { name: 'Small', exact: true }).waitFor()
  })

  await t.test('What is wrong in an item is shown at its input, and nothing is lost', async () => {
    const dialog = await openForm(page)
    await dialog.getByLabel('Name').first().fill('Tent')
    const seats = dialog.getByRole('group', { name: 'Seats' })
    await seats.getByRole('button', { name: 'Add seat' }).click()
    await addSeat(seats, 1, '', undefined, 'admin')
    await dialog.getByRole('button', { name: 'Create article' }).click()
    const name = seats.locator('.item').nth(1).getByLabel('Name')
    await seats.locator('.item').nth(1).getByText('Name is required').waitFor()
    await seats.locator('.item').nth(1).locator('input[aria-invalid="true"]:focus').waitFor()
    await name.fill('Ada')
    await seats.locator('.item').nth(1).getByLabel('Since').pressSequentially('06')
    await name.press('Enter')
    await seats.locator('.item').nth(1).getByText('The date is not complete').waitFor()
    await idle(page)
    assert.equal((await articles(page)).length, 1)
    await seats.locator('.item').nth(1).getByLabel('Since').fill('2026-06-15')
    await seats.getByRole('button', { name: 'Remove this seat' }).first().click()
    await seats.getByRole('button', { name: 'Remove this seat' }).and(page.locator(':focus')).waitFor()
    assert.equal(await seats.getByLabel('Since').inputValue(), '2026-06-15')
    await dialog.getByRole('button', { name: 'Create article' }).click()
    await main(page).getByRole('heading', { name: 'Tent', level: 1 }).waitFor()

    const tent = (await articles(page)).find((each) => each.name === 'Tent')!
    assert.deepEqual(fieldsOf(tent.article_seats), [{ label: 'admin', since: '2026-06-15', name: 'Ada' }])
  })

  await t.test('In German, all around the names of an item is German', async () => {
    const german = await openScreen(t, url, { locale: 'de-DE' })
    await german.context.addCookies(await page.context().cookies())
    await openPage(german.page, '/articles')
    await main(german.page).getByRole('link', { name: 'Tent' }).click()
    const seats = main(german.page).getByRole('region', { name: 'Seats' })
    await seats.getByText('Seit: 15.06.2026').waitFor()
    await seats.getByRole('button', { name: 'Seat hinzufügen' }).click()
    const added = german.page.getByRole('dialog', { name: 'Seat hinzufügen' })
    await added.getByLabel('Name').fill('Grace')
    await added.getByRole('button', { name: 'Speichern' }).click()
    await german.page.getByText('Seat hinzugefügt.').waitFor()
    await seats.getByRole('button', { name: 'Grace entfernen' }).click()
    await german.page.getByText('Der Eintrag wird aus dem Datensatz entfernt (Article).').waitFor()
    assert.deepEqual(german.complaints, [])
  })
  assert.deepEqual(complaints, [])
})

async function openForm(page: Page): Promise<Locator> {
  await openPage(page, '/articles')
  await main(page).getByRole('button', { name: 'New article' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New article' })
  await dialog.waitFor()
  await idle(page)
  return dialog
}

async function addSeat(seats: Locator, at: number, name: string, since?: string, label?: string): Promise<void> {
  const seat = seats.locator('.item').nth(at)
  await seat.getByLabel('Name').fill(name)
  if (since) await seat.getByLabel('Since').fill(since)
  if (label) await seat.getByLabel('Label').selectOption(label)
}

type Article = Record<'article_seats' | 'article_sizes', { id: string; name?: string }[]> & { name: string }

async function articles(page: Page): Promise<Article[]> {
  const headers = { 'Kontor-Environment': 'live' }
  return (await (await page.request.get('/api-v1-articles?include=seats,sizes', { headers })).json()).data
}

async function onlyArticle(page: Page) {
  const [only, ...others] = await articles(page)
  assert.equal(others.length, 0)
  return { seats: fieldsOf(only!.article_seats), sizes: fieldsOf(only!.article_sizes) }
}

/** Without the ids and times, which differ. */
function fieldsOf(items: { id: string; name?: string }[]) {
  return items.map(({ id: _, ...fields }) => fields)
}
