import { expect, it } from 'vitest'
import { englishFor, pageStyle, writeClock, writeDay, writePrice } from './words.ts'

it('pages are in English, in the order and by the clock of where the locale is of', () => {
  const shown = (locale: string) => {
    const english = englishFor(locale)
    const at = '2027-03-10T14:30:00Z'
    return [writeDay('2027-03-10', english), writeClock(at, english, 'UTC').replace(/\s/g, ' ')]
  }
  expect(shown('de')).toEqual(['Wednesday, 10 March', '14:30'])
  expect(shown('en')).toEqual(['Wednesday, March 10', '2:30 PM'])
  expect(shown('en-GB')).toEqual(['Wednesday 10 March', '14:30'])
  expect(shown('ja')[0]).toBe('Wednesday, March 10')
  expect(shown('not a locale')).toEqual(shown('en'))
  expect(writePrice(123_450, 'eur', englishFor('de'))).toBe('€1,234.50')
  expect(pageStyle([null, 'fr'], ['Nowhere/Town', 'Europe/Paris'])).toEqual({
    locale: 'en-FR',
    timeZone: 'Europe/Paris',
  })
})
