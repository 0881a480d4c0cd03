import { catalogue } from './catalogue.ts'

export const openIdTexts = catalogue(
  {
    goOnWith: 'Continue with {name}',
    notSetUp: 'Signing in this way is not set up here. Use another one.',
    notComplete:
      'Signing in this way is not set up completely. Whoever runs this service finds in its log what is missing.',
    unavailable: '{name} does not answer at the moment. Try again, or use another way to sign in.',
    misconfigured:
      '{name} and this service do not understand each other. Whoever runs this service finds the cause in its log. Use another way to sign in.',
    declined: '{name} did not sign you in. Try again, or use another way.',
    refused: 'What came back from {name} is no good proof. Try again, or use another way to sign in.',
    over: 'This sign-in was begun in another browser, is used, or is too old. Begin it again here.',
    unverified:
      '{name} does not say that your address is verified. Sign in by a code at first, and then link your account in the settings, under Sessions.',
    taken:
      'Another account at {name} was linked to {email} before. Sign in by a code and remove that link in the settings, under Sessions, if it is no longer yours.',
    unknown:
      '{name} says that you are {email}. No organization here has a member with this address. If you were invited, open the link in that letter first; else ask whoever looks after the organization, or use another account.',
    title: 'Account at {name}',
    none: 'No account is linked. With one, you sign in there instead of by a code.',
    linked: 'Linked {time}.',
    lastUsed: 'Last used {time}.',
    neverUsed: 'Not used yet.',
    link: 'Link an account at {name}',
    unlink: 'Remove the link',
    unlinked: 'The link is removed. A code by mail still works.',
    isLinked: 'Your account is linked.',
    notLinked:
      'This account was not linked: it came back too late, or you have another one there, whose link you remove first.',
    confirm: 'Confirm with {name}',
    notOwn: 'This is not the account that you linked here. Use that one, or a code by mail.',
    notFresh: '{name} does not say that you signed in there just now. Use a code by mail.',
    tooLong: 'What you typed is too long to be kept on the way to {name}. Use a code by mail.',
    confirmed: 'Thank you, it is you',
    confirmedText: 'What you wanted to do is not done yet.',
    goOn: 'Do it now',
  },
  {
    goOnWith: 'Weiter mit {name}',
    notSetUp: 'Diese Art der Anmeldung ist hier nicht eingerichtet. Nehmen Sie eine andere.',
    notComplete:
      'Diese Art der Anmeldung ist nicht vollständig eingerichtet. Der Betreiber dieses Dienstes findet in dessen Log, was fehlt.',
    unavailable:
      '{name} antwortet gerade nicht. Versuchen Sie es noch einmal, oder melden Sie sich auf andere Art an.',
    misconfigured:
      '{name} und dieser Dienst verstehen sich nicht. Der Betreiber dieses Dienstes findet die Ursache in dessen Log. Melden Sie sich auf andere Art an.',
    declined:
      '{name} hat Sie nicht angemeldet. Versuchen Sie es noch einmal, oder melden Sie sich auf andere Art an.',
    refused:
      'Was von {name} zurückkam, ist kein gültiger Nachweis. Versuchen Sie es noch einmal, oder melden Sie sich auf andere Art an.',
    over: 'Diese Anmeldung wurde in einem anderen Browser begonnen, ist verbraucht oder zu alt. Beginnen Sie sie hier noch einmal.',
    unverified:
      '{name} sagt nicht, dass Ihre Adresse bestätigt ist. Melden Sie sich zuerst mit einem Code an, und verknüpfen Sie dann Ihr Konto in den Einstellungen unter «Anmeldungen».',
    taken:
      'Mit {email} wurde schon ein anderes Konto bei {name} verknüpft. Melden Sie sich mit einem Code an, und entfernen Sie diese Verknüpfung in den Einstellungen unter «Anmeldungen», falls das Konto nicht mehr Ihres ist.',
    unknown:
      '{name} sagt, dass Sie {email} sind. Keine Organisation hier hat ein Mitglied mit dieser Adresse. Wenn Sie eingeladen wurden, öffnen Sie zuerst den Link in jener E-Mail; sonst fragen Sie, wer sich um die Organisation kümmert, oder nehmen Sie ein anderes Konto.',
    title: 'Konto bei {name}',
    none: 'Es ist kein Konto verknüpft. Mit einem melden Sie sich dort an statt mit einem Code.',
    linked: 'Verknüpft {time}.',
    lastUsed: 'Zuletzt benutzt {time}.',
    neverUsed: 'Noch nicht benutzt.',
    link: 'Konto bei {name} verknüpfen',
    unlink: 'Verknüpfung entfernen',
    unlinked: 'Die Verknüpfung ist entfernt. Ein Code per E-Mail geht weiterhin.',
    isLinked: 'Ihr Konto ist verknüpft.',
    notLinked:
      'Dieses Konto wurde nicht verknüpft: Es kam zu spät zurück, oder Sie haben dort ein anderes, dessen Verknüpfung Sie zuerst entfernen.',
    confirm: 'Mit {name} bestätigen',
    notOwn:
      'Das ist nicht das Konto, das Sie hier verknüpft haben. Nehmen Sie jenes, oder einen Code per E-Mail.',
    notFresh:
      '{name} sagt nicht, dass Sie sich dort eben angemeldet haben. Nehmen Sie einen Code per E-Mail.',
    tooLong:
      'Was Sie eingegeben haben, ist zu lang, um auf dem Weg zu {name} aufbewahrt zu werden. Nehmen Sie einen Code per E-Mail.',
    confirmed: 'Danke, Sie sind es',
    confirmedText: 'Was Sie tun wollten, ist noch nicht getan.',
    goOn: 'Jetzt tun',
  },
)
