import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What is said about completions in the shell. */
export const completions = defineSubject('command completions', () =>
  defineMessages({
    'command.completions': {
      en: 'Write completions for your shell',
      ko: '셸의 자동 완성 스크립트를 출력합니다',
    },
    'completions.details': {
      en: 'Install once, then open a new shell:\nbash  maru completions bash > ~/.local/share/bash-completion/completions/maru\nzsh   maru completions zsh > ~/.zfunc/_maru\nfish  maru completions fish > ~/.config/fish/completions/maru.fish\npwsh  maru completions powershell >> $PROFILE\nThe folder must exist. In zsh, ~/.zshrc needs "fpath=(~/.zfunc $fpath)" before "compinit". Only for the shell you are in: source <(maru completions bash)',
      ko: '한 번 설치한 뒤 셸을 새로 여십시오:\nbash  maru completions bash > ~/.local/share/bash-completion/completions/maru\nzsh   maru completions zsh > ~/.zfunc/_maru\nfish  maru completions fish > ~/.config/fish/completions/maru.fish\npwsh  maru completions powershell >> $PROFILE\n폴더는 미리 있어야 합니다. zsh에서는 ~/.zshrc의 "compinit" 앞에 "fpath=(~/.zfunc $fpath)"가 필요합니다. 지금 셸에서만 쓰려면: source <(maru completions bash)',
    },
  }),
)
