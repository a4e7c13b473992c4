# Has bash complete commands, options, schemes, forms and files of id-allocator. Load it in ~/.bashrc:
#   . .../bin/id-allocator-completion.bash
#   complete -o filenames -F _id_allocator ida      # for an alias, too

_id_allocator() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    local schemes='sno muid eightbyte uid60 gid' slots='sno muid eightbyte uid60'
    local options='-h --help -c --config' words='' files=yes
    case $((COMP_CWORD < 3 ? COMP_CWORD : 3)):${COMP_WORDS[1]}:${COMP_WORDS[2]-} in
        1:*) words='server check generate inspect leases doctor fence-restore' options='-h --help -v --version' files= ;;
        *:generate:*) words=$schemes options+=' -n --metabyte --transaction --type --form --json' ;;
        *:inspect:*) options='-h --help --scheme --form --json' files= ;;
        2:leases:*) words='list show members release retire unretire relayout' options='-h --help' files= ;;
        *:leases:list | *:leases:show) words=$slots options+=' --json' ;;
        *:leases:members) options+=' --json' ;;
        *:leases:release) words=$slots options+=' --json --nonce' ;;
        *:leases:retire) words=$slots options+=' --json --nonce -y --yes' ;;
        *:leases:unretire) words=$slots options+=' --json --used-until -y --yes' ;;
        *:leases:relayout) words=$slots options+=' --json --fence' ;;
        *:doctor:*) options+=' --json' ;;
        *:fence-restore:*) options+=' --new-root --nothing-restored --window --max-clock-skew --floor' ;;
    esac
    case $before in
        -c | --config) words='' options='' files=yes ;;
        --form) words='canonical hex uuid base64url decimal' files= ;;
        --scheme) words=$schemes files= ;;
        --transaction) words='true false' files= ;;
        --type) words='volume log segment' files= ;;
        -n | --metabyte | --nonce | --used-until | --window | --max-clock-skew | --floor | --nothing-restored) words='' options='' files= ;;
    esac
    if [[ $word == -* ]]; then
        words=$options files=
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [[ $files ]]; then
        local IFS=$'\n'
        COMPREPLY+=($(compgen -f -- "$word"))
    fi
}

complete -o filenames -F _id_allocator id-allocator
