import { catalogue } from './catalogue.ts'

export const addressTexts = catalogue(
  {
    title: 'Add your email address',
    why: 'With it you sign in without a link, prove that it is you before keys are made, and hear of bookings.',
    lead: 'We send six digits to it. It is yours here as soon as you have entered them.',
    sent: 'A code is on its way to {email}. It is valid for ten minutes.',
    save: 'Add this address',
    otherAddress: 'Use another address',
    taken: 'A colleague has this address already. Use another one.',
  },
  {
    title: 'Ihre E-Mail-Adresse hinterlegen',
    why: 'Mit ihr melden Sie sich ohne Link an, weisen sich aus, bevor Schlüssel entstehen, und hören von Buchungen.',
    lead: 'Wir schicken sechs Ziffern dorthin. Sobald Sie diese eingegeben haben, gilt die Adresse hier als Ihre.',
    sent: 'Ein Code ist unterwegs an {email}. Er gilt zehn Minuten.',
    save: 'Adresse hinterlegen',
    otherAddress: 'Eine andere Adresse benutzen',
    taken: 'Diese Adresse hat schon jemand aus Ihrem Team. Benutzen Sie eine andere.',
  },
)
